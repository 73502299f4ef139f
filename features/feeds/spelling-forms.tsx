"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { joinAliasId } from "@/features/feeds/format";
import type { FeedRow, UnresolvedSpelling } from "@/features/feeds/types";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { SecondSpelling } from "@/lib/feeds/intake-source";

/** The id of the list of all symbols, which the fields search. */
export const CATALOG_LIST = "feeds-catalog";

const LOW_FIELD = "h-8! w-56 max-w-full text-xs13 max-md:h-10! max-md:w-full max-md:text-base";

interface SpellingFormsProps {
  feed: Pick<FeedRow, "name" | "aliases" | "unresolved" | "seconds">;
  actions: { alias: FormAction; unalias: FormAction; add: FormAction };
}

/** What a source's spellings of symbols name: those without a symbol, second ones, and aliases. */
export function SpellingForms({ feed, actions }: SpellingFormsProps) {
  const { name, unresolved, seconds } = feed;
  return (
    <div className="grid content-start gap-5">
      {unresolved.length > 0 && (
        <Part id={`unresolved-${name}`} title="Spellings without a symbol">
          <p className="text-xs12 text-faint">Their ticks are refused. A wrong symbol would give wrong prices.</p>
          {unresolved.length > 1 && (
            <ActionForm id={name} action={actions.add} size="sm" submit={`Add all ${unresolved.length} to the catalog`}>
              <input type="hidden" name="all" value="yes" />
            </ActionForm>
          )}
          <ul className="relative max-h-96 overflow-y-auto">
            {unresolved.map((each) => (
              <UnresolvedForm
                key={each.spelling}
                source={name}
                unresolved={each}
                alias={actions.alias}
                add={actions.add}
              />
            ))}
          </ul>
        </Part>
      )}
      {seconds.length > 0 && (
        <Part id={`seconds-${name}`} title="Second spellings">
          <p className="text-xs12 text-faint">
            Of two spellings of one instrument, only the surer one is served, or the one that still comes.
          </p>
          <ul className="relative max-h-96 overflow-y-auto">
            {seconds.map((each) => (
              <SecondForm key={each.spelling} source={name} second={each} alias={actions.alias} add={actions.add} />
            ))}
          </ul>
        </Part>
      )}
      <Part id={`aliases-${name}`} title="Aliases">
        <AliasForms feed={feed} alias={actions.alias} unalias={actions.unalias} />
        <ActionForm
          id={name}
          action={actions.add}
          submit="Add to the catalog"
          size="sm"
          summary="Make another spelling an instrument"
          className="flex flex-wrap items-end gap-2"
        >
          {({ errors }) => <SpellingField id={`new ${name}`} label="Spelling to add" error={errors?.["spelling"]} />}
        </ActionForm>
      </Part>
    </div>
  );
}

/** A part of the details of a source. */
export function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid content-start gap-1.5">
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      {children}
    </section>
  );
}

interface UnresolvedFormProps {
  source: string;
  unresolved: UnresolvedSpelling;
  alias: FormAction;
  add: FormAction;
}

/** Gives a spelling a symbol: one of those that it may mean with one click, or any other of the catalog. */
function UnresolvedForm({ source, unresolved: { spelling, candidates }, alias, add }: UnresolvedFormProps) {
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
      <AddForm id={id} spelling={spelling} add={add} />
    </li>
  );
}

/** Makes a spelling an instrument of its own. */
function AddForm({ id, spelling, add }: { id: string; spelling: string; add: FormAction }) {
  return (
    <ActionForm
      id={id}
      action={add}
      size="sm"
      submit={
        <>
          Add <span className="sr-only">{spelling} </span>to the catalog
        </>
      }
    />
  );
}

interface SecondFormProps {
  source: string;
  second: SecondSpelling;
  alias: FormAction;
  add: FormAction;
}

/** Serves a second spelling in place of the first, or makes it an instrument of its own. */
function SecondForm({ source, second: { spelling, symbol, quoted, leftAtMs }, alias, add }: SecondFormProps) {
  const id = joinAliasId(source, spelling);
  return (
    <li className="flex flex-wrap items-center gap-2 border-t border-line py-1.5 first:border-t-0">
      <span className="mr-auto [overflow-wrap:anywhere]">
        <code>{spelling}</code> <span className="text-faint">names</span> {symbol}
        <span className="text-faint">, served from </span>
        <code>{quoted}</code>
        {leftAtMs !== null && (
          <span className="text-faint">
            {" "}
            since {new Date(leftAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC, when {spelling} no longer came
          </span>
        )}
      </span>
      <ActionForm
        id={id}
        action={alias}
        size="sm"
        submit={
          <>
            Serve <span className="sr-only">{spelling} </span>instead
          </>
        }
      >
        <input type="hidden" name="symbol" value={symbol} />
      </ActionForm>
      <AddForm id={id} spelling={spelling} add={add} />
    </li>
  );
}

interface AliasFormsProps {
  feed: Pick<FeedRow, "name" | "aliases">;
  alias: FormAction;
  unalias: FormAction;
}

/** The aliases that operators have added to a source, and a form for one more. */
function AliasForms({ feed: { name, aliases }, alias, unalias }: AliasFormsProps) {
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
            <SpellingField id={`spelling ${name}`} label="Spelling of the source" error={errors?.["spelling"]} />
            <SymbolField id={`symbol ${name}`} label="Symbol" error={errors?.["symbol"]} />
          </>
        )}
      </ActionForm>
    </>
  );
}

function SpellingField({ id, label, error }: { id: string; label: string; error: string | undefined }) {
  return (
    <TextField
      id={id}
      name="spelling"
      label={label}
      error={error}
      maxLength={64}
      autoComplete="off"
      className={LOW_FIELD}
    />
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
