"use client";

import { Download } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { toast } from "sonner";
import { asApiError, type ExportFormat, useLocksExport } from "@/lib/client";
import type { Preset } from "@/lib/contract";
import { Button } from "../../ui/button";
import { download } from "../../ui/download";

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string; readonly hint: string }[] = [
  { format: "csv", label: "CSV", hint: "for a spreadsheet" },
  { format: "json", label: "JSON", hint: "with every node's reading" },
];

type Props = {
  readonly q: string;
  readonly preset: Preset;
  readonly sort: string;
  /** How many fit the filter. */
  readonly total: number;
};

/** Saves every lock that fits the filter, shown or not. Fingerprints only: no file ever holds a token. */
export function ExportMenu({ total, ...asked }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [isWorking, setIsWorking] = useState(false);
  const make = useLocksExport(asked);
  const save = async (format: ExportFormat) => {
    if (make === null) return;
    setIsWorking(true);
    try {
      download(await make(format));
    } catch (cause) {
      const { message, nextStep } = asApiError(cause);
      toast.error(`Nothing was saved. ${message} ${nextStep}`);
    } finally {
      setIsWorking(false);
    }
  };
  const nothing = make === null || total === 0 ? "there is nothing to save" : null;
  const disabledReason = isWorking ? "the list is being read" : nothing;
  return (
    <DropdownMenu.Root
      modal={false}
      open={isOpen && disabledReason === null}
      onOpenChange={(next) => setIsOpen(next && disabledReason === null)}
    >
      <DropdownMenu.Trigger asChild>
        <Button disabledReason={disabledReason}>
          <Download aria-hidden className="size-4" />
          {isWorking ? "Exporting…" : "Export"}
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-40 min-w-56 rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          <DropdownMenu.Label className="px-2.5 py-1.5 text-[13px] text-mute">
            {total === 1 ? "The lock" : `All ${total.toLocaleString("en-US")} locks`} of this filter
          </DropdownMenu.Label>
          {FORMATS.map(({ format, label, hint }) => (
            <DropdownMenu.Item
              key={format}
              onSelect={() => void save(format)}
              className="flex min-h-8 cursor-pointer items-center gap-3 rounded-md px-2.5 data-[highlighted]:bg-hover"
            >
              <span className="w-11 font-semibold">{label}</span>
              <span className="text-[13px] text-mute">{hint}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
