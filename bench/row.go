package main

import (
	"slices"
	"strconv"
	"time"
)

// row is one line of a table of load.
type row struct {
	name      string
	mutations int
	tenants   int
	clients   int
	count     int
	rate      float64
	p50       time.Duration
	p99       time.Duration
	p999      time.Duration
	counted   counted
	travel    travel
}

func summarise(samples [][]time.Duration, took time.Duration) row {
	all := slices.Concat(samples...)
	slices.Sort(all)
	r := row{count: len(all)}
	if len(all) == 0 {
		return r
	}
	at := func(share float64) time.Duration { return all[min(len(all)-1, int(float64(len(all))*share))] }
	r.rate = float64(len(all)) / took.Seconds()
	r.p50, r.p99, r.p999 = at(0.50), at(0.99), at(0.999)
	return r
}

// columns are what cells fill. Any error ends the run, so none is counted. The last one says what the ratio is to.
func columns(ratio string) []string {
	return []string{
		"operation", "tenants", "clients", "per second", "p50 ms", "p99 ms", "p99.9 ms", "CPU s per 1000: server", "database",
		"allocations", "lock waits per 1000", "statements", "round trips", ratio,
	}
}

// cells relate the row to another: mutations a second against those of the raw limit, or of the same operation before the books grew.
func (r row) cells(limit row) []string {
	each := max(1, float64(r.count))
	return []string{
		r.name, strconv.Itoa(r.tenants), strconv.Itoa(r.clients), number(r.rate, 0), milliseconds(r.p50), milliseconds(r.p99), milliseconds(r.p999),
		unlessZero(r.counted.server.Seconds()*1000/each, 3), unlessZero(r.counted.database.Seconds()*1000/each, 3),
		unlessZero(r.counted.allocations/each, 0), unlessZero(float64(r.counted.lockWaits)*1000/each, 1),
		unlessZero(float64(r.travel.statements), 0), unlessZero(float64(r.travel.trips), 0), number(r.rate*float64(r.mutations)/(limit.rate*float64(limit.mutations)), 2),
	}
}
