"use client";

import { createContext, type ReactNode, useContext } from "react";
import { DEFAULT_ZONE } from "@/components/shared/zone";

const ZoneContext = createContext(DEFAULT_ZONE);

/** Provides the time zone of all pages, as the server read it. */
export function ZoneProvider({ zone, children }: { zone: string; children: ReactNode }) {
  return <ZoneContext value={zone}>{children}</ZoneContext>;
}

/** Returns the IANA name of the zone in which pages without a zone of their own write times. */
export function useZone(): string {
  return useContext(ZoneContext);
}
