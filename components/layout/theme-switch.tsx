"use client";

import { Check, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { DropdownMenu } from "radix-ui";

const THEMES = [
  { name: "system", label: "As the system", icon: Monitor },
  { name: "light", label: "Light", icon: Sun },
  { name: "dark", label: "Dark", icon: Moon },
] as const;

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label="Theme"
        title="Theme"
        className="grid size-8 place-items-center rounded-lg text-mute hover:bg-hover hover:text-ink"
      >
        <Sun aria-hidden className="size-4 dark:hidden" />
        <Moon aria-hidden className="hidden size-4 dark:block" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 min-w-40 rounded-lg border border-line bg-raised p-1 text-ink shadow-float"
        >
          <DropdownMenu.RadioGroup value={theme ?? "system"} onValueChange={setTheme}>
            {THEMES.map(({ name, label, icon: Icon }) => (
              <DropdownMenu.RadioItem
                key={name}
                value={name}
                className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2.5 outline-none data-[highlighted]:bg-track"
              >
                <Icon aria-hidden className="size-4" />
                {label}
                <DropdownMenu.ItemIndicator className="ml-auto">
                  <Check aria-hidden className="size-4" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
