package asset

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of this package.
var (
	ErrGroupExists = apperr.Define("asset.group_exists", apperr.Duplicate, "The company already has an asset group with this code.")
	ErrCodeExists  = apperr.Define("asset.code_exists", apperr.Duplicate, "The company already has an asset with this code.")

	ErrUnknownGroup  = apperr.Define("asset.unknown_group", apperr.Rule, "The company has no asset group with this id.")
	ErrTooManyGroups = apperr.Define("asset.too_many_groups", apperr.Rule,
		"The company has as many asset groups as one depreciation posting can hold.")
	ErrWrongAccount = apperr.Define("asset.wrong_account", apperr.Rule,
		"An account is of the wrong type, or serves as both asset and accumulated depreciation.")
	ErrInvalidTerms = apperr.Define("asset.invalid_terms", apperr.Rule,
		"Cost, salvage value, life, dates or what was depreciated before do not fit together; fieldErrors says which.")

	ErrDisposed      = apperr.Define("asset.disposed", apperr.Conflict, "The asset was disposed of; it takes no changes any more.")
	ErrMonthsMissing = apperr.Define("asset.months_missing", apperr.Conflict,
		"Earlier months of an asset are not posted yet; post the depreciation of the month in the details first.")
	ErrMonthPosted = apperr.Define("asset.month_posted", apperr.Conflict,
		"The depreciation of the month, or of a later one, is posted already; use a date in a later month.")
)
