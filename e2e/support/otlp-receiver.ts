import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A collector of OpenTelemetry data over HTTP as JSON. */

type Values = Readonly<Record<string, string | number | boolean>>;

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly kind: number;
  readonly durationMs: number;
  readonly isError: boolean;
  readonly attributes: Values;
  readonly resource: Values;
}

interface ReceivedLine {
  readonly body: string;
  readonly severity: string;
  readonly attributes: Values;
  readonly resource: Values;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly lines: readonly ReceivedLine[];
  stop(): Promise<void>;
}

type Attribute = {
  readonly key: string;
  readonly value: Readonly<Record<"stringValue" | "intValue" | "doubleValue" | "boolValue", string | number | boolean>>;
};
type Scoped<Name extends string, Item> = { readonly resource: { readonly attributes: Attribute[] } } & Readonly<
  Record<`scope${Capitalize<Name>}`, readonly Readonly<Record<Name, readonly Item[]>>[]>
>;
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: Attribute[];
}
interface Line {
  readonly body: { readonly stringValue: string };
  readonly severityText: string;
  readonly attributes: Attribute[];
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const lines: ReceivedLine[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans?: Scoped<"spans", Span>[];
        resourceLogs?: (Omit<Scoped<"logs", Line>, "scopeLogs"> & { scopeLogs: { logRecords: Line[] }[] })[];
      };
      if (request.url === "/v1/traces") spans.push(...(body.resourceSpans ?? []).flatMap(readSpans));
      if (request.url === "/v1/logs") {
        for (const { resource, scopeLogs } of body.resourceLogs ?? []) {
          const records = scopeLogs.flatMap(({ logRecords }) => logRecords);
          lines.push(...records.map((record) => readLine(record, readValues(resource.attributes))));
        }
      }
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    lines,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readSpans({ resource, scopeSpans }: Scoped<"spans", Span>): ReceivedSpan[] {
  const values = readValues(resource.attributes);
  return scopeSpans
    .flatMap((scope) => scope.spans)
    .map(({ name, traceId, parentSpanId, kind, startTimeUnixNano, endTimeUnixNano, status, attributes }) => ({
      name,
      traceId,
      parentSpanId,
      kind,
      durationMs: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
      isError: status.code === 2,
      attributes: readValues(attributes),
      resource: values,
    }));
}

const readLine = ({ body, severityText, attributes }: Line, resource: Values): ReceivedLine => ({
  body: body.stringValue,
  severity: severityText,
  attributes: readValues(attributes),
  resource,
});

function readValues(attributes: readonly Attribute[]): Values {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? ""]));
}
