import { formatCount } from '../../core/layout/format';
import { capacityAt } from '../../core/selection/capacity';
import type { LabReport } from '../../core/selection/lab';
import type { SelectSettings } from '../../core/selection/types';
import { Notice } from '../shared/Notice';
import { ReplacementPanel } from './ReplacementPanel';
import { AblationPanel, CapacityPanel, TargetPanel } from './SweepPanels';

/** Height of the first charts. */
const SKELETON_PX = 260;

/** What is known of the part that is shown. */
export interface LabState { report: LabReport | null; status: 'loading' | 'ready' | 'failed'; error: string | null; onRetry: () => void }

export interface LabBodyProps {
  lab: LabState;
  settings: SelectSettings;
  wide: boolean;
  onWide: (wide: boolean) => void;
  reference: string;
  step: number;
  encoder: string;
  approximate: boolean;
  nameOf: (index: number) => string;
  onSelectBlock: (index: number) => void;
}

/** The panel of the chosen part; an older report stays while a newer one is computed. */
export function LabBody({ lab, settings, wide, onWide, reference, step, encoder, approximate, nameOf, onSelectBlock }: LabBodyProps) {
  const { report, status, error, onRetry } = lab;
  if (status === 'failed') return <Notice tone="failed" title="This part could not be computed" action={{ label: 'Try again', run: onRetry }}>{error}</Notice>;
  if (!report) return <div className="chart-skeleton" style={{ height: SKELETON_PX }} role="status" aria-label="Computing" />;
  const what = `step ${formatCount(step)}, ${formatCount(report.checkpoint)} blocks · seed ${settings.seed} · ${encoder}`;
  const words = { step, what, short: `step ${formatCount(step)} · ${encoder}`, approximate };
  const capacity = capacityAt(settings.capacity, report.checkpoint);
  return (
    <div className="lab" aria-busy={status === 'loading'}>
      {report.part === 'capacity' && <CapacityPanel {...words} report={report} wide={wide} onWide={onWide} strong={new Set(['gem', reference])} capacity={capacity} />}
      {report.part === 'target' && <TargetPanel {...words} report={report} tau={settings.tau} />}
      {report.part === 'ablation' && <AblationPanel {...words} report={report} />}
      {report.part === 'replacement' && <ReplacementPanel {...words} report={report} nameOf={nameOf} onSelectBlock={onSelectBlock} />}
    </div>
  );
}
