import { ORIGIN_MARK } from "@/features/docs/document";
import { formatTable } from "@/features/docs/markdown";
import { TOOLS } from "@/lib/api/mcp/tools";
import { formatReferencePath } from "@/lib/api/openapi/reference-path";

const TOOL_TABLE = formatTable(
  ["Tool", "Call", "What it is for"],
  TOOLS.map(({ name, endpoint: { method, path, summary } }) => [
    `\`${name}\``,
    `[${method} ${path}](${formatReferencePath(path)})`,
    summary,
  ]),
);

export const AGENTS = `# Agents (MCP)

Programs with a language model use this installation by the Model Context Protocol: over HTTP at \`${ORIGIN_MARK}/mcp\`, or with a
command over standard input and output. A tool key is made for this: it has a limit of its own. Create one on the page
[API keys](/keys), with the scopes and symbols that the agent needs.

## Over HTTP

The address is \`${ORIGIN_MARK}/mcp\`. Send the key in the header \`X-API-Key\`, or as \`Authorization: Bearer\` where a program can
send no other. Most programs take a configuration such as this:

\`\`\`json
{
  "mcpServers": {
    "spotline": {
      "type": "http",
      "url": "${ORIGIN_MARK}/mcp",
      "headers": { "X-API-Key": "YOUR_KEY" }
    }
  }
}
\`\`\`

The server keeps no sessions and sends no messages of its own, so GET and DELETE are answered with 405. It answers under the
host of its setting \`SPOTLINE_URL\`, \`localhost\` and IP addresses, and refuses pages of other sites.

## Over standard input and output

The command is in the folder of Spotline, and calls the API at \`SPOTLINE_URL\` with the key in \`SPOTLINE_KEY\`:

\`\`\`json
{
  "mcpServers": {
    "spotline": {
      "command": "node",
      "args": ["PATH_OF_SPOTLINE/cli/launch.mjs", "mcp"],
      "env": { "SPOTLINE_URL": "${ORIGIN_MARK}", "SPOTLINE_KEY": "YOUR_KEY" }
    }
  }
}
\`\`\`

In that folder, \`npm run -s spotline -- mcp\` is the same command.

## Tools

${TOOL_TABLE}

Their arguments are the parameters of these calls. A tool makes its call with your key, so scopes, symbols, address lists,
plans, limits and credits are those of the call: one use of a tool is one call. An agent may send twice as many messages a
minute as its key may make calls, and 60 more.

## Results

A result has the data as text and as a structure: \`data\`, \`quote_state\`, \`quote_age_ms\`, \`data_mode\`, \`request_id\` and
\`notes\`. Notes are sentences that also come before the text: that a price is stale, delayed or of a closed market, that data
is simulated or replayed, or that rows are missing. What the API refuses is a result with \`isError\`, the code and the
message: see [errors](/docs/errors).`;
