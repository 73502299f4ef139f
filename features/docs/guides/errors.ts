import { formatCode, formatTable } from "@/features/docs/markdown";
import { findErrorGuide } from "@/lib/api/engine/error-guide";
import { ERROR_CODES, getStatus, UNPROCESSABLE } from "@/lib/api/engine/errors";
import { errorExamples } from "@/lib/api/openapi/recorded-examples";

const CODES = ERROR_CODES.filter((code) => code !== UNPROCESSABLE).map((code) => {
  const guide = findErrorGuide(code);
  const example = errorExamples[code];
  return [
    `### ${code}`,
    `Status ${getStatus(code)}. ${guide?.meaning ?? ""} **What to do:** ${guide?.remedy ?? ""}`,
    ...(example === undefined ? [] : [formatCode("json", JSON.stringify(example, null, 2))]),
  ].join("\n\n");
});

const STATUSES = formatTable(
  ["Status", "Who can correct it", "Repeat the call?"],
  [
    ["400, 404, 413, 414, 415, 422", "you: the call is wrong", "no, it would fail again"],
    ["401, 403", "the owner of the key, or the operator", "no"],
    ["429", "nobody needs to", "after the seconds in `Retry-After`"],
    ["500, 503", "the operator", "yes, after some seconds, a few times"],
  ],
);

export const ERRORS = `# Errors

Every failed call has a status, a \`code\` for programs and a \`message\` for people:

${formatCode("json", JSON.stringify(errorExamples.SYMBOL_NOT_FOUND ?? {}, null, 2))}

The message names the mistake, and often the nearest correct name. Its words may change: compare codes. New codes may be
added; treat an unknown one by its status.

${STATUSES}

Give the operator the header \`X-Request-Id\` of an answer that you do not understand, yours if you sent one. The page [Usage](/usage) has the log
of your own calls with the reason of every refusal.

## The flat format

The flat indicators of [GET /v1/indicator](/docs/reference/indicator) fail without the envelope: \`error\` is the status in
words, \`message\` is the message, \`code\` is the status, and 429 has \`retry_after\`.

## All codes

${CODES.join("\n\n")}`;
