// Package export makes files of reports in the background.
//
// Owns: export jobs and their life, the files they leave, the formats, and the worker that any server may run.
//
// Does not own: what a report says; package report computes it, and package httpapi hands both over as a Report.
//
// Invariants: a file is made from one snapshot; a file becomes visible in the commit that completes its job, whole or not at
// all; a job is worked on by one attempt at a time, which owns it until its lease passes, and only the owner can finish it; a
// stored file is never changed; once the months that a file tells of are locked, every further file of the same report has
// the same bytes.
package export
