import type { ReactNode } from "react";
import { isUnknown, resolveSpelling } from "@/features/symbols/read-choice";
import { UnknownSpellingProvider } from "@/features/symbols/unknown-symbol";
import { getRuntime } from "@/lib/runtime";

interface Props {
  params: Promise<{ symbol: string }>;
  children: ReactNode;
}

/** Tells the not-found page which symbol was looked for. */
export default async function SymbolLayout({ params, children }: Props) {
  const found = resolveSpelling((await params).symbol, (await getRuntime()).resolver);
  return <UnknownSpellingProvider value={isUnknown(found) ? found : null}>{children}</UnknownSpellingProvider>;
}
