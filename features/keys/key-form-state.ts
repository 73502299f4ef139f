import type { KeyKind } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";

export const EXPIRY_DAYS = [7, 30, 60, 90, 365] as const;

/** What has been filled in, as the form holds it. */
export interface KeyFormValues {
  readonly label: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  /** One address or range a line. */
  readonly addresses: string;
  /** A number of days, "never", "date" for the day in `expiryDate`, or "keep" for what an edited key has. */
  readonly expiry: string;
  /** YYYY-MM-DD: the last day of the key, in UTC. */
  readonly expiryDate: string;
}

export const EMPTY_KEY: KeyFormValues = {
  label: "",
  kind: "standard",
  scopes: ["quotes"],
  addresses: "",
  expiry: "90",
  expiryDate: "",
};

/** What is wrong with one line of the allow-list. */
export interface AddressProblem {
  /** Counted from 1, blank lines included: the number an editor would show. */
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** What the server makes of an allow-list as it was typed. */
export interface AddressReport {
  readonly problems: readonly AddressProblem[];
  readonly warnings: readonly string[];
  /** The lines as they will be stored. */
  readonly cidrs: readonly string[];
  /** What became of the address that was tried; null when none was. */
  readonly verdict: string | null;
}

export type CheckAddresses = (typed: string, tried: string) => Promise<AddressReport>;

export type KeyFormState =
  | {
      readonly step: "editing";
      readonly values: KeyFormValues;
      readonly errors: Partial<Record<"label" | "scopes" | "addresses" | "expiry" | "password" | "form", string>>;
      readonly addressProblems: readonly AddressProblem[];
      /** Set when an edited key was just saved. */
      readonly saved?: boolean;
    }
  | {
      readonly step: "created";
      readonly label: string;
      /** Here and nowhere else, once. */
      readonly secret: string;
      /** Where the API is reached: "https://prices.example.com". */
      readonly origin: string;
    };

/** One thing a key opens, as the form explains it. */
export interface ScopeGuide {
  readonly scope: Scope;
  readonly endpoints: readonly EndpointLine[];
}

export interface EndpointLine {
  readonly method: string;
  readonly path: string;
  readonly weight: number;
}
