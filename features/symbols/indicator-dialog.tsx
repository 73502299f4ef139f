import { X } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { CATEGORY_TITLES } from "@/components/shared/chart-parts";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { SearchBox } from "@/components/ui/search-box";
import { ChoiceTabs } from "@/components/ui/tabs";
import type { IndicatorLook } from "@/features/symbols/types";
import { MOST_INDICATORS } from "@/features/symbols/url";
import { formatPlansWith } from "@/lib/access/plans";

const FamilyPicker = dynamic(() => import("@/features/symbols/family-picker").then((module) => module.FamilyPicker), {
  ssr: false,
  loading: () => <p className="col-span-full text-dim">Loading indicators</p>,
});

interface IndicatorDialogProps {
  isOpen: boolean;
  /** The indicators of the list, and the members of families that are chosen. */
  looks: readonly IndicatorLook[];
  /** How many of them are of the list, which come first. */
  listed: number;
  chosen: readonly string[];
  /** Decimals of the symbol. */
  digits: number;
  /** Whether the plan does not include past values. */
  isLocked: boolean;
  /** Called with the names, and with how those that are new are drawn. */
  onChange: (names: readonly string[], added?: readonly IndicatorLook[]) => void;
  onClose: () => void;
}

/** Chooses the indicators of the chart. */
export function IndicatorDialog({ isOpen, isLocked, onClose, ...list }: IndicatorDialogProps) {
  const { chosen, onChange } = list;
  return (
    <Dialog open={isOpen} title="Indicators" onDismiss={onClose} wide>
      {isLocked ? (
        <p className="mt-2 text-dim">
          Past values of indicators are included in {formatPlansWith("indicatorHistory")}, here and in the API. The
          newest values are on the Indicators page.
        </p>
      ) : (
        isOpen && <IndicatorChoice {...list} />
      )}
      <div className="mt-4 flex justify-end gap-2">
        {!isLocked && chosen.length > 0 && (
          <Button look="quiet" onClick={() => onChange([])}>
            Remove all
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

const VIEWS = ["Usual", "Own parameters"] as const;
type View = (typeof VIEWS)[number];

type IndicatorChoiceProps = Omit<IndicatorDialogProps, "isOpen" | "isLocked" | "onClose">;

function IndicatorChoice({ looks, listed, chosen, digits, onChange }: IndicatorChoiceProps) {
  const [search, setSearch] = useState("");
  const [view, setView] = useState<View>("Usual");
  const [changed, setChanged] = useState<string | null>(null);
  const usual = looks.slice(0, listed);
  const own = chosen.filter((name) => !usual.some((look) => look.name === name));
  const isSearching = search.trim() !== "";

  function choose(added: readonly IndicatorLook[]): void {
    const names = added.map(({ name }) => name);
    const isChange = changed !== null && chosen.includes(changed);
    onChange(isChange ? chosen.flatMap((name) => (name === changed ? names : [name])) : [...chosen, ...names], added);
    setChanged(null);
  }

  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <SearchBox
          label="Search indicators"
          boxClassName="w-64 max-md:w-full"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <ChoiceTabs label="Parameters" choices={VIEWS} chosen={view} onChoose={setView} format={(each) => each} />
        <p role="status" className="text-xs13 text-dim">
          {chosen.length} of {MOST_INDICATORS} chosen
        </p>
      </div>
      {own.length > 0 && (
        <ul aria-label="Chosen with own parameters" className="mt-3 flex flex-wrap gap-2">
          {own.map((name) => (
            <li key={name} className="flex items-center rounded-md border border-line text-xs13">
              <button
                type="button"
                aria-label={`Change ${name}`}
                onClick={() => {
                  setView("Own parameters");
                  setSearch("");
                  setChanged(name);
                }}
                className="rounded-l-md px-2 py-1 font-mono hover:bg-hover max-md:min-h-11"
              >
                {name}
              </button>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(chosen.filter((each) => each !== name))}
                className="grid size-7 place-items-center rounded-r-md text-faint hover:bg-hover hover:text-ink max-md:size-11"
              >
                <X aria-hidden size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 grid max-h-[50dvh] grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-6 gap-y-1 overflow-y-auto">
        {(isSearching || view === "Usual") && <UsualList {...{ search, chosen, onChange }} looks={usual} />}
        {(isSearching || view === "Own parameters") && (
          <FamilyPicker
            key={changed}
            {...{ search, chosen, digits, changed }}
            room={MOST_INDICATORS - chosen.length}
            onChoose={choose}
          />
        )}
      </div>
    </>
  );
}

type UsualListProps = Pick<IndicatorDialogProps, "looks" | "chosen" | "onChange"> & { search: string };

/** The indicators of the list that match a search, by category. */
function UsualList({ looks, search, chosen, onChange }: UsualListProps) {
  const words = search.toLowerCase().split(/\s+/);
  const found = looks.filter(({ name, description }) =>
    words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
  const isFull = chosen.length >= MOST_INDICATORS;
  return (
    <>
      {found.length === 0 && (
        <p className="col-span-full text-dim">No indicator with usual parameters matches “{search.trim()}”.</p>
      )}
      {Object.entries(CATEGORY_TITLES).map(([category, title]) => {
        const lines = found.filter((look) => look.category === category);
        if (lines.length === 0) return null;
        return (
          <fieldset key={category} className="col-span-full grid grid-cols-subgrid gap-y-1 py-1.5">
            <legend className="text-xs12 text-faint">{title}</legend>
            {lines.map(({ name, description }) => {
              const isChosen = chosen.includes(name);
              return (
                <label key={name} className="flex gap-2 py-0.5 text-xs13 has-disabled:text-faint">
                  <input
                    type="checkbox"
                    className={CHECK_CLASS}
                    checked={isChosen}
                    disabled={!isChosen && isFull}
                    onChange={() => onChange(isChosen ? chosen.filter((each) => each !== name) : [...chosen, name])}
                  />
                  <span>
                    {name}
                    <span className="block text-xs12 text-faint">{description}</span>
                  </span>
                </label>
              );
            })}
          </fieldset>
        );
      })}
    </>
  );
}
