import type { AlertFormAction, AlertFormValues, AlertKind, SymbolNow } from "@/features/alerts/types";
import type { Category } from "@/lib/market/instrument";

/** What the form of an alert needs of the server. */
export interface FormSetup {
  readonly action: AlertFormAction;
  /** The values that the form begins with. */
  readonly values: AlertFormValues;
  /** The alert to edit; null to create one. */
  readonly editedId: string | null;
  readonly symbols: readonly { readonly symbol: string; readonly name: string; readonly category: Category }[];
  /** The quote of the first symbol. */
  readonly quote: SymbolNow;
  /** The plans that include the data of a kind, for kinds that the account's plan lacks: "Starter and Pro". */
  readonly locked: Readonly<Partial<Record<AlertKind, string>>>;
  readonly email: string;
  /** Whether the server sends mail. */
  readonly hasMail: boolean;
}

export interface FieldsProps {
  readonly values: AlertFormValues;
  readonly onChange: (changed: Partial<AlertFormValues>) => void;
  /** By the name of the field. */
  readonly errors: Readonly<Record<string, string>>;
}
