/** The codes of characters, for parsers that read bytes. */
export const NEWLINE = 10;
export const RETURN = 13;
export const BLANK = 32;
export const QUOTE = 34;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const POINT = 46;
export const SLASH = 47;
export const ZERO = 48;
export const NINE = 57;
export const COLON = 58;
