"use client";

import { useSearchParams } from "next/navigation";
import { createContext, type ReactNode, useContext } from "react";
import { readAt } from "@/components/ui/past-address";

const AddressContext = createContext<string | null>(null);
const ShownContext = createContext<string | null>(null);

/** Provides what the address names as the past to the links below. */
export function PastAddress({ children }: { children: ReactNode }) {
  return <AddressContext value={readAt(useSearchParams())}>{children}</AddressContext>;
}

/** What the address names as the past, which links keep; null for the present. */
export const useAddressAt = (): string | null => useContext(AddressContext);

/** Provides the second that a page was rendered for; null for the present. */
export const ShownAt = ShownContext;

/** The second that the page shows, for its data routes; null for the present, as on every page without a market. */
export const useShownAt = (): string | null => useContext(ShownContext);

/** A field that keeps the second in the address of a form with the method GET. */
export function AtField() {
  const at = useAddressAt();
  return at !== null && <input type="hidden" name="at" value={at} />;
}
