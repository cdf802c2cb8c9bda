import { formatCount } from '../../core/layout/format';
import { Notice } from '../shared/Notice';
import { MIN_BLOCKS } from '../../core/selection/constants';
import type { AnalysisStatus } from './analysis-status';

export interface AnalysisActions { onRetry?: () => void; onEmbed?: () => void; onCancel?: () => void; onLastStep?: () => void }

/** The sentence of every state but `ready`. */
export function AnalysisNotice({ status, encoder, onRetry, onEmbed, onCancel, onLastStep }: { status: AnalysisStatus; encoder: string } & AnalysisActions) {
  switch (status.state) {
    case 'ready': return null;
    case 'loading': return <Notice tone="loading" title="Computing…">Vectors are ready; the numbers follow the playhead.</Notice>;
    case 'no-vectors': {
      const left = status.secondsLeft !== undefined && Number.isFinite(status.secondsLeft) ? ` · about ${formatCount(Math.max(1, status.secondsLeft))} s left` : '';
      return (
        <Notice tone="loading" title="Turning blocks into vectors" {...(onCancel ? { action: { label: 'Cancel', run: onCancel } } : {})}>
          <progress max={Math.max(1, status.total)} value={status.done} aria-label="Blocks embedded" />
          <br />
          {formatCount(status.done)} of {formatCount(status.total)} blocks · {encoder}{left}. It runs in this browser; nothing is sent anywhere.
        </Notice>
      );
    }
    case 'too-small': return (
      <Notice title={`${formatCount(status.blocks)} of ${MIN_BLOCKS} interaction blocks`} {...(onLastStep ? { action: { label: 'Go to the last step', run: onLastStep } } : {})}>
        An interaction block is an assistant message with all its tool results. Below {MIN_BLOCKS} of them GEM keeps everything and a spectrum says little: move the playhead to a later step.
      </Notice>
    );
    case 'failed': return <Notice tone="failed" title="The vectors could not be analysed" {...(onRetry ? { action: { label: 'Try again', run: onRetry } } : {})}>{status.message}</Notice>;
    case 'cancelled': return (
      <Notice title="Embedding was cancelled" {...(onEmbed ? { action: { label: 'Go on', run: onEmbed } } : {})}>{formatCount(status.done)} of {formatCount(status.total)} blocks have vectors; they are kept.</Notice>
    );
  }
}
