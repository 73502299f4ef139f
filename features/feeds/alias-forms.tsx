import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { joinAliasId } from "@/features/feeds/alias-id";
import type { FeedRow, UnresolvedSpelling } from "@/features/feeds/types";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";

/** The id of the list of all symbols, which the fields of this page search. */
export const CATALOG_LIST = "feeds-catalog";

const LOW_FIELD = "h-8! w-56 max-w-full text-xs13 max-md:h-10! max-md:w-full max-md:text-base";

interface UnresolvedFormProps {
  source: string;
  unresolved: UnresolvedSpelling;
  alias: FormAction;
}

/** Gives a spelling a symbol: one of those that it may mean with one click, or any other of the catalog. */
export function UnresolvedForm({ source, unresolved: { spelling, candidates }, alias }: UnresolvedFormProps) {
  const id = joinAliasId(source, spelling);
  return (
    <li className="grid gap-2 border-t border-line py-2.5 first:border-t-0">
      <ActionForm id={id} action={alias} submit="Set symbol" size="sm" className="flex flex-wrap items-end gap-2">
        {({ errors }) => (
          <>
            <SymbolField id={`symbol ${id}`} label={`Symbol of ${spelling}`} error={errors?.["symbol"]} />
            {candidates.map((symbol) => (
              <Button key={symbol} type="submit" size="sm" name="candidate" value={symbol} className="order-last">
                <span className="sr-only">{spelling} is </span>
                {symbol}
              </Button>
            ))}
          </>
        )}
      </ActionForm>
    </li>
  );
}

interface AliasFormsProps {
  feed: Pick<FeedRow, "name" | "aliases">;
  alias: FormAction;
  unalias: FormAction;
}

/** The aliases that operators have added to a source, and a form for one more. */
export function AliasForms({ feed: { name, aliases }, alias, unalias }: AliasFormsProps) {
  return (
    <>
      {aliases.length > 0 && (
        <ul>
          {aliases.map(({ spelling, symbol }) => (
            <li
              key={spelling}
              className="flex items-center justify-between gap-3 border-t border-line py-1.5 first:border-t-0"
            >
              <span className="[overflow-wrap:anywhere]">
                <code>{spelling}</code> <span className="text-faint">is</span> {symbol}
              </span>
              <ActionForm
                id={joinAliasId(name, spelling)}
                action={unalias}
                size="sm"
                submit={
                  <>
                    Remove<span className="sr-only"> the alias {spelling}</span>
                  </>
                }
              />
            </li>
          ))}
        </ul>
      )}
      <ActionForm
        id={name}
        action={alias}
        submit="Add alias"
        size="sm"
        summary="Give another spelling a symbol"
        className="flex flex-wrap items-end gap-2"
      >
        {({ errors }) => (
          <>
            <TextField
              id={`spelling ${name}`}
              name="spelling"
              label="Spelling of the source"
              error={errors?.["spelling"]}
              maxLength={64}
              autoComplete="off"
              className={LOW_FIELD}
            />
            <SymbolField id={`symbol ${name}`} label="Symbol" error={errors?.["symbol"]} />
          </>
        )}
      </ActionForm>
    </>
  );
}

interface SymbolFieldProps {
  id: string;
  label: string;
  error: string | undefined;
}

function SymbolField({ id, label, error }: SymbolFieldProps) {
  return (
    <TextField
      id={id}
      name="symbol"
      label={label}
      error={error}
      list={CATALOG_LIST}
      placeholder="Search, such as gold"
      maxLength={64}
      autoComplete="off"
      className={LOW_FIELD}
    />
  );
}
