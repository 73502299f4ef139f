import { keepTranslatedTexts } from "@/components/shell/translated-texts";

/** Next runs this before React takes over a page. */
keepTranslatedTexts(document);
