package mysqltest

// serverFlags are the settings every server started here runs with. They are
// the ones docker-compose.yml gives to a deployed MySQL, plus those that trade
// durability for speed, which no test can tell apart that does not kill the
// database itself; those that do use Crash. All of them are known to MySQL 8.4 and to
// MariaDB 10.11 alike, or are loose: ignored where they are not. More come last and so win.
func serverFlags(more ...string) []string {
	return append([]string{
		"--character-set-server=utf8mb4",
		// Binary collation: text that differs in case or accent is different text.
		"--collation-server=utf8mb4_bin",
		"--transaction-isolation=READ-COMMITTED",
		"--sql-mode=STRICT_ALL_TABLES,STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
		// MySQL's own foreign keys let in what InnoDB's refuse (decision 0043); only 9.6 and later have both.
		"--loose-innodb-native-foreign-keys=ON",
		"--default-time-zone=+00:00",
		"--innodb-lock-wait-timeout=5",
		// The wait for a table definition. The default is a day or more, which
		// turns a forgotten transaction into a hanging test run.
		"--lock-wait-timeout=30",
		"--max-connections=500",
		"--skip-name-resolve",

		"--skip-log-bin",
		"--innodb-flush-log-at-trx-commit=2",
		"--innodb-doublewrite=0",
		"--innodb-buffer-pool-size=256M",
		"--performance-schema=OFF",
	}, more...)
}
