import { useState } from "react";
import { CATEGORY_TITLES } from "@/components/shared/chart-parts";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { SearchBox } from "@/components/ui/search-box";
import type { IndicatorLook } from "@/features/symbols/types";
import { MOST_INDICATORS } from "@/features/symbols/url";
import { formatPlansWith } from "@/lib/access/plans";

interface IndicatorDialogProps {
  isOpen: boolean;
  looks: readonly IndicatorLook[];
  chosen: readonly string[];
  /** Whether the plan does not include past values. */
  isLocked: boolean;
  onChange: (names: readonly string[]) => void;
  onClose: () => void;
}

/** Chooses the indicators of the chart. */
export function IndicatorDialog({ isOpen, looks, chosen, isLocked, onChange, onClose }: IndicatorDialogProps) {
  return (
    <Dialog open={isOpen} title="Indicators" onDismiss={onClose} wide>
      {isLocked ? (
        <p className="mt-2 text-dim">
          Past values of indicators are included in {formatPlansWith("indicatorHistory")}, here and in the API. The
          newest values are on the Indicators page.
        </p>
      ) : (
        <IndicatorList looks={looks} chosen={chosen} onChange={onChange} />
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

function IndicatorList({ looks, chosen, onChange }: Pick<IndicatorDialogProps, "looks" | "chosen" | "onChange">) {
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/);
  const found = looks.filter(({ name, description }) =>
    words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
  const isFull = chosen.length >= MOST_INDICATORS;
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <SearchBox
          label="Search indicators"
          boxClassName="w-64 max-md:w-full"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <p role="status" className="text-xs13 text-dim">
          {chosen.length} of {MOST_INDICATORS} chosen
        </p>
      </div>
      <div className="mt-3 grid max-h-[50dvh] grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-6 gap-y-1 overflow-y-auto">
        {found.length === 0 && <p className="text-dim">No indicator matches “{search.trim()}”.</p>}
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
      </div>
    </>
  );
}
