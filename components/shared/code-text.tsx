import { parse, type ParseOptions } from "sugar-high/core";

/** Code in colours, on the server or in what pages load when it is opened: the lexer stays out of all other scripts. */

const words = (text: string) => new Set(text.split(" "));

/** Comments from a mark at the start of a word to the end of the line. */
function commentFrom(mark: string): ParseOptions {
  return {
    onCommentStart: (_, next, at, code) =>
      code.startsWith(mark, at) && (at === 0 || /\s/.test(code[at - 1] ?? "")) && next !== undefined ? 1 : 0,
    onCommentEnd: (_, current) => (current === "\n" ? 1 : 0),
  };
}

const SHELL: ParseOptions = {
  ...commentFrom("#"),
  keywords: words("curl cd cp docker do done echo export fi for git if node npm npx psql sudo then"),
};
const TYPESCRIPT: ParseOptions = {
  ...commentFrom("//"),
  templateStrings: true,
  keywords: words(
    "as async await break case catch class const continue default else export extends false for from function if import in interface let new null of return satisfies switch throw true try type typeof undefined while",
  ),
};
const PYTHON: ParseOptions = {
  ...commentFrom("#"),
  keywords: words(
    "and as assert async await class def elif else except False finally for from if import in is lambda None not or pass raise return True try while with yield",
  ),
};
const JSON_TEXT: ParseOptions = { quotedKeys: true, keywords: words("true false null") };
const SQL: ParseOptions = {
  ...commentFrom("--"),
  caseInsensitive: true,
  keywords: words("and as asc by create desc from group having in join limit not null on or order select where with"),
};

const LANGUAGES: Readonly<Record<string, ParseOptions>> = {
  sh: SHELL,
  curl: SHELL,
  ts: TYPESCRIPT,
  TypeScript: TYPESCRIPT,
  python: PYTHON,
  Python: PYTHON,
  json: JSON_TEXT,
  sql: SQL,
};

function findColour(type: string, value: string): string {
  if (type === "keyword") return "text-tokyo";
  if (type === "string") return "text-london";
  if (type === "comment") return "text-faint";
  if (type === "property" && value.startsWith('"')) return "text-note";
  return /^\d/.test(value) ? "text-accent-ink" : "";
}

interface CodePart {
  readonly text: string;
  /** The class of its colour; empty for that of the text around it. */
  readonly colour: string;
}

/**
 * Splits code into parts of one colour, which are the code if joined. `language` is a fence of Markdown or a name of the
 * dialog of calls; code in any other language is one part.
 */
export function splitCode(language: string, code: string): CodePart[] {
  const options = LANGUAGES[language];
  if (options === undefined) return [{ text: code, colour: "" }];
  const parts: { text: string; colour: string }[] = [];
  for (const { index, tokens } of parse(code, options).lines) {
    if (index > 0) join(parts, "\n", "");
    for (const { type, value } of tokens) join(parts, value, findColour(type, value));
  }
  return parts;
}

function join(parts: { text: string; colour: string }[], text: string, colour: string): void {
  const last = parts.at(-1);
  if (last !== undefined && (last.colour === colour || text.trim() === "")) last.text += text;
  else parts.push({ text, colour });
}

/** Code with its colours. */
export function CodeText({ language, children }: { language: string; children: string }) {
  return splitCode(language, children).map(({ text, colour }, index) =>
    colour === "" ? (
      text
    ) : (
      <span key={index} className={colour}>
        {text}
      </span>
    ),
  );
}
