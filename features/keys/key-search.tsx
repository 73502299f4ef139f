import { Button } from "@/components/ui/button";
import { SearchBox } from "@/components/ui/search-box";
import { TOOLBAR_CLASS } from "@/components/ui/toolbar";
import type { KeyListView } from "@/features/keys/list-view";

/** Searches a long list of keys by the page's address, so that it works without a script. */
export function KeySearch({ view: { text, sort } }: { view: KeyListView }) {
  return (
    <form key={text} action="/keys" className={TOOLBAR_CLASS}>
      {sort !== "created" && <input type="hidden" name="sort" value={sort} />}
      <SearchBox
        name="text"
        type="search"
        label="Label, scope, address or last characters"
        defaultValue={text}
        maxLength={100}
        autoCapitalize="none"
        spellCheck={false}
        boxClassName="w-80 max-md:flex-1"
      />
      <Button type="submit" size="sm" className="max-md:h-10">
        Search
      </Button>
    </form>
  );
}
