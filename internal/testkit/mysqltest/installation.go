package mysqltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// installation is a server binary of this machine and how to make a data
// folder for it.
type installation struct {
	server string
	// installer is mariadb-install-db; MySQL initialises with the server
	// itself, and the field is empty.
	installer string
}

// EnvServer names the variable with the mariadbd or mysqld command to start
// instead of the one that is found on this machine.
const EnvServer = "VIENKART_TEST_MYSQLD"

// findInstallation looks for MariaDB first, because its data folder is ready
// in a fraction of the time MySQL takes.
func findInstallation() (installation, bool) {
	server := os.Getenv(EnvServer)
	if server == "" {
		var found bool
		if server, found = findBinary("mariadbd", "mysqld"); !found {
			return installation{}, false
		}
	}
	if !isMariaDB(server) {
		return installation{server: server}, true
	}
	installer, found := findBinary("mariadb-install-db", "mysql_install_db")
	return installation{server: server, installer: installer}, found
}

// findBinary looks in PATH and then in the folders of system programs, which
// are not in the PATH of an ordinary user.
func findBinary(names ...string) (string, bool) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
		for _, folder := range []string{"/usr/sbin", "/usr/local/sbin", "/usr/libexec"} {
			path := filepath.Join(folder, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return path, true
			}
		}
	}
	return "", false
}

// isMariaDB asks the binary: distributions install MariaDB under the name
// mysqld too.
func isMariaDB(server string) bool {
	version, err := exec.Command(server, "--no-defaults", "--version").Output() //nolint:gosec // The command is this machine's own, or the one its user names.
	return err == nil && strings.Contains(string(version), "MariaDB")
}

// initialise returns the command that fills an empty data folder. Neither
// kind leaves a root that can log in over TCP without a password: the test
// user comes from the init file.
func (i installation) initialise(data string) []string {
	// A starting server sweeps its folder of temporary tables, so two that start at once must not share one.
	tmp := "--tmpdir=" + filepath.Dir(data)
	if i.installer == "" {
		// The log takes its whole room at once, and more of it by default than a test of a full disk has.
		small := "--innodb-redo-log-capacity=16M"
		return append([]string{i.server, "--no-defaults", "--initialize", "--datadir=" + data, tmp, small}, asRoot()...)
	}
	return append([]string{
		i.installer, "--no-defaults", "--datadir=" + data, tmp,
		"--auth-root-authentication-method=socket", "--skip-test-db", "--skip-name-resolve",
	}, asRoot()...)
}

// asRoot lets the server run as root, which it refuses unless told so. A test
// container usually has no other user.
func asRoot() []string {
	if os.Geteuid() != 0 {
		return nil
	}
	return []string{"--user=root"}
}
