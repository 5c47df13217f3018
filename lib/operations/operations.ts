import type {
  AcquireAnswer,
  AcquireBody,
  BootstrapAnswer,
  BootstrapBody,
  BulkForceExpireAnswer,
  BulkForceExpireBody,
  DemonstrationBody,
  DrainAnswer,
  DrainBody,
  ExtendAnswer,
  ExtendBody,
  FaultBody,
  ForceExpireAnswer,
  ForceExpireBody,
  HealQuery,
  LabAudience,
  LabRun,
  LabRunBody,
  ReleaseAnswer,
  ReleaseBody,
  RevokeAnswer,
  RevokeBody,
} from "@/lib/contract";
import { acquire } from "./acquire";
import { bootstrap } from "./bootstrap";
import { bulkForceExpire } from "./bulk-force-expire";
import type { OperationsContext } from "./context";
import { setDemonstration } from "./demonstration";
import { drain, undrain } from "./drain";
import { extend } from "./extend";
import { healFault, setFault } from "./faults";
import { forceExpire } from "./force-expire";
import { startLabRun, stopLabRun, takeOverLabRun } from "./lab";
import { release } from "./release";
import { revoke } from "./revoke";

/** Everything an operator may do. Each is described in the file of its verb. */
export interface Operations {
  acquire(body: AcquireBody, signal: AbortSignal): Promise<AcquireAnswer>;
  extend(resource: string, body: ExtendBody): Promise<ExtendAnswer>;
  release(resource: string, body: ReleaseBody): Promise<ReleaseAnswer>;
  forceExpire(resource: string, body: ForceExpireBody): Promise<ForceExpireAnswer>;
  bulkForceExpire(body: BulkForceExpireBody, signal: AbortSignal): Promise<BulkForceExpireAnswer>;
  revoke(resource: string, body: RevokeBody): Promise<RevokeAnswer>;
  setFault(node: string, body: FaultBody): Promise<void>;
  healFault(node: string, query: HealQuery): Promise<void>;
  bootstrap(body: BootstrapBody): Promise<BootstrapAnswer>;
  drain(node: string, body: DrainBody): Promise<DrainAnswer>;
  undrain(node: string): Promise<DrainAnswer>;
  setDemonstration(body: DemonstrationBody): Promise<void>;
  startLabRun(body: LabRunBody): Promise<LabRun>;
  stopLabRun(id: string, viewer: string | null): Promise<LabRun>;
  takeOverLabRun(id: string, viewer: string): Promise<LabAudience>;
}

/** The operations over one context. */
export function createOperations(context: OperationsContext): Operations {
  return {
    acquire: (body, signal) => acquire(context, body, signal),
    extend: (resource, body) => extend(context, resource, body),
    release: (resource, body) => release(context, resource, body),
    forceExpire: (resource, body) => forceExpire(context, resource, body),
    bulkForceExpire: (body, signal) => bulkForceExpire(context, body, signal),
    revoke: (resource, body) => revoke(context, resource, body),
    setFault: (node, body) => setFault(context, node, body),
    healFault: (node, query) => healFault(context, node, query),
    bootstrap: (body) => bootstrap(context, body),
    drain: (node, body) => drain(context, node, body),
    undrain: (node) => undrain(context, node),
    setDemonstration: (body) => setDemonstration(context, body),
    startLabRun: (body) => startLabRun(context, body),
    stopLabRun: (id, viewer) => stopLabRun(context, id, viewer),
    takeOverLabRun: (id, viewer) => takeOverLabRun(context, id, viewer),
  };
}
