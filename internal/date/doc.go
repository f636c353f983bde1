// Package date holds civil dates and calendar months: days in a book, not moments in time.
//
// Owns: parsing and printing dates, calendar arithmetic, and how a date is stored.
//
// Does not own: the current day (package clock) and the choice of time zone, which the caller makes.
//
// Invariants: a Date is the zero Date, meaning no date, or a day that exists in the Gregorian calendar. It has no time and no
// time zone, so it never shifts by a day on its way to the database or to a client.
package date
