// Package asset keeps fixed assets and depreciates them in straight lines, month by month.
//
// Owns: groups with their accounts, assets, modernisations, the depreciation schedule, the runs that post it, disposals.
//
// Does not own: acquisitions and modernisations as purchases, which reach the asset account through supplier invoices; the
// opening balances of assets that were depreciated elsewhere before; proceeds of a sale, which are a sales invoice. None of
// these is posted here. Runs are monthly; there is no annual run that could overlap with months.
//
// Invariants: the months of an asset add up to its cost, with modernisations, less salvage, to the cent; no month is
// negative; each month of an asset is booked once, and in order, so what is booked never disagrees with the schedule; a
// disposed asset is depreciated up to the month of its disposal and never after it, since straight-line depreciation ends on
// the first day of the month after the asset left (the mirror of its beginning).
//
// Lock order: assets by id, then the period of the posting. Whatever books or changes an asset holds its row first.
package asset
