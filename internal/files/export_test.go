package files

// CheckType is what Upload asks of a content and the type it is said to be of.
var CheckType = checkType
