import { formatDuration } from "@/lib/client";
import { Button } from "../ui/button";
import { Dialog, DialogActions } from "../ui/dialog";

type Props = {
  readonly node: string;
  /** How long it is kept out then, milliseconds; 0 when no guard is in use. */
  readonly quarantineMs: number;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onConfirm: () => void;
};

/** Starting empty is a fault of its own: the node has forgotten what it granted. */
export function StartEmptyDialog({ node, quarantineMs, isOpen, onOpenChange, onConfirm }: Props) {
  const close = () => onOpenChange(false);
  return (
    <Dialog
      title={`Start node ${node} empty`}
      description="Its data is thrown away, as if the machine had been replaced."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <p className="rounded-lg bg-risk-soft px-3.5 py-2.5">
        The node forgets every vote it gave and could grant a lock that somebody still holds.{" "}
        {quarantineMs > 0
          ? `So it is kept in quarantine until the longest lock in use must have ended: it votes again after ${formatDuration(quarantineMs)}.`
          : "The restart guard is off, so nothing keeps it from voting at once."}
      </p>
      <DialogActions>
        <Button onClick={close}>Cancel</Button>
        <Button
          look="danger"
          onClick={() => {
            close();
            onConfirm();
          }}
        >
          Start empty
        </Button>
      </DialogActions>
    </Dialog>
  );
}
