import { writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { formatOperationId } from "@/lib/api/openapi/describe-operation";
import { endpoints } from "@/lib/api/registry";
import { writePythonClient } from "@/scripts/python-client";

/**
 * `npm run generate:clients`: generates the parts of the clients that follow from the OpenAPI document, which git does not
 * have. The endpoints import the generated database client; no database is read.
 */

/** Writes the types of the OpenAPI document, and the method and path of each operation, as TypeScript. */
async function writeTypeScriptClient(): Promise<string> {
  // The address of an installation is not part of the types.
  const document = describeApi(endpoints, "https://prices.example");
  // A field with a default may be left out of a body.
  const types = astToString(await openapiTS(structuredClone(document) as never, { defaultNonNullable: false }));
  const lines = endpoints.map((endpoint) => {
    const { method, path } = endpoint;
    return `  ${formatOperationId(endpoint)}: { method: ${JSON.stringify(method)}, path: ${JSON.stringify(path)} },`;
  });
  const table = `export const OPERATIONS = {\n${lines.join("\n")}\n} as const satisfies Record<keyof operations, object>;\n`;
  return `${HEAD}\n${types}\n/** The method and path of each operation. */\n${table}`;
}

const HEAD = "// Generated from the OpenAPI document by `npm run generate:clients`. Do not edit.\n";

writeFileSync("clients/typescript/src/generated.ts", await writeTypeScriptClient());
writeFileSync("clients/python/src/spotline/generated.py", writePythonClient());
