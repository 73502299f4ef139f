import type { ReactNode } from "react";
import { readTheme } from "@/components/shell/read-look";
import { Wordmark } from "@/components/shell/wordmark";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { ProductIntro } from "@/features/sign-in/product-intro";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const theme = await readTheme();
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(30rem,1fr)_1.2fr]">
      <div className="flex flex-col px-5 py-5 sm:px-10 lg:px-16">
        <header className="flex items-center justify-between">
          <Wordmark />
          <ThemeSwitch initial={theme} name="auth-theme" />
        </header>
        <main id="content" className="my-auto w-full max-w-sm py-12 max-lg:self-center">
          {children}
        </main>
      </div>
      <ProductIntro />
    </div>
  );
}
