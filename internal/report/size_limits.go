package report

import "github.com/vienkart/vienkart/internal/money"

// sizeLimits are the most that a company of each category has from a year on, whole euros. A large company is over those of a medium one.
type sizeLimits struct {
	firstYear int
	// source is the law, in words for the answer.
	source string
	limits map[Category]SizeThreshold
}

// sizeLimitsByYear begins with the latest. They are the limits of Directive 2013/34/EU, Art 3, which Lithuania took over:
//
//   - from 2016 by the Law on Financial Reporting by Undertakings, amended by XII-1696 of 14 May 2015
//     (https://bnt.eu/ro/stiri-juridice/requirements-for-company-financial-accounting-reduced-3/ has those of a micro company);
//   - from 2024 by the Law on Reporting by Undertakings and Groups of Undertakings, after Delegated Directive (EU) 2023/2775
//     (https://drsc.de/en/news/eu-delegierte-richtlinie-schwellenwerte-bestimmung-der-groessenklassen-kapitalgesellschaften). That
//     the law has the same values is confirmed for medium companies (https://www.paciolis.lt/9-pastabos-buhalteriui-del-2025-m-atskaitomybes);
//     for small and micro ones the directive leaves no higher micro limits, and up to 7.5 and 15 million for small ones.
var sizeLimitsByYear = []sizeLimits{
	{2024, "Law on Reporting by Undertakings and Groups of Undertakings, limits of Delegated Directive (EU) 2023/2775", map[Category]SizeThreshold{
		Micro: limit(450_000, 900_000, 10), Small: limit(5_000_000, 10_000_000, 50), Medium: limit(25_000_000, 50_000_000, 250),
	}},
	{2016, "Law on Financial Reporting by Undertakings, limits of Directive 2013/34/EU", map[Category]SizeThreshold{
		Micro: limit(350_000, 700_000, 10), Small: limit(4_000_000, 8_000_000, 50), Medium: limit(20_000_000, 40_000_000, 250),
	}},
}

func limit(assets, turnover int64, employees int) SizeThreshold {
	return SizeThreshold{Number(money.DecimalFromInt(assets)), Number(money.DecimalFromInt(turnover)), employees}
}

// sizeLimitsOf are those of a year; ok is false before the first.
func sizeLimitsOf(year int) (limits sizeLimits, ok bool) {
	for _, l := range sizeLimitsByYear {
		if year >= l.firstYear {
			return l, true
		}
	}
	return sizeLimits{}, false
}
