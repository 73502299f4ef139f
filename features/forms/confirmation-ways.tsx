"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { ProviderLink } from "@/features/session/provider-href";

export interface Ways {
  /** The identity providers that can confirm the owner of an account without a password; null for an account with one. */
  readonly providers: readonly ProviderLink[] | null;
  /** Whether the account has a passkey that is valid at this address. */
  readonly hasPasskey: boolean;
}

const Confirmation = createContext<Ways>({ providers: null, hasPasskey: false });

/** Tells the forms inside how the signed-in account can be confirmed. */
export function ConfirmationWays({ providers, hasPasskey, children }: Ways & { children: ReactNode }) {
  return <Confirmation value={{ providers, hasPasskey }}>{children}</Confirmation>;
}

export function useConfirmationWays(): Ways {
  return useContext(Confirmation);
}
