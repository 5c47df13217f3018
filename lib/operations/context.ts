import type { AuditLog } from "@/lib/audit";
import type { AuditEntry, FaultBody, HealQuery, LabAudience, LabRun, LabRunBody } from "@/lib/contract";
import type { Inventory } from "@/lib/inventory";
import type { Layouts } from "@/lib/layouts";
import type { Master } from "@/lib/redis";
import type { NodeId, RedlockEngine } from "@/lib/redlock";
import type { Holdings } from "./holdings";

/** Faults of the embedded cluster, as far as an operator may cause them. */
export interface FaultPort {
  apply(node: NodeId, fault: FaultBody["fault"]): Promise<void>;
  heal(node: NodeId, options: HealQuery): Promise<void>;
}

/** The demonstration clients. */
export interface DemonstrationPort {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The Quorum Lab. */
export interface LabPort {
  /** @throws AppError not_found */
  run(id: string): LabRun;
  /** @throws AppError forbidden, lab_busy, lab_unavailable, invalid_request */
  start(body: LabRunBody): Promise<LabRun>;
  /** @throws AppError not_found, lab_busy */
  stop(id: string, viewer: string | null): Promise<LabRun>;
  /** @throws AppError not_found */
  takeOver(id: string, viewer: string): LabAudience;
}

/** What every operation works with. */
export interface OperationsContext {
  readonly masters: readonly Master[];
  readonly engine: RedlockEngine;
  readonly inventory: Inventory;
  readonly layouts: Layouts;
  readonly audit: AuditLog;
  readonly holdings: Holdings;
  readonly isReadOnly: boolean;
  /** Nodes that may have forgotten votes are kept out. */
  readonly isGuarded: boolean;
  /** A longer TTL is refused, milliseconds. */
  readonly maxTtlMs: number;
  /** Null unless the cluster is the console's own. */
  readonly faults: FaultPort | null;
  readonly demonstration: DemonstrationPort | null;
  readonly lab: LabPort;
  /** Epoch milliseconds. */
  readonly wallClock: () => number;
  readonly newId: () => string;
  /** Fresh random value for a revoke, 40 hexadecimal digits. */
  readonly newToken: () => string;
  /** Hears the outcome of each action. */
  readonly onAction: (entry: AuditEntry) => void;
  /** Hears that an outcome could not be recorded although the action was done. */
  readonly onAuditFailure: (error: unknown) => void;
}

/** Who acts as long as there is no login. */
export const ACTOR_WITHOUT_LOGIN = "operator (no login)";
