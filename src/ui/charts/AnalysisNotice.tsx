import { formatCount } from '../../core/layout/format';
import { Notice } from '../shared/Notice';
import { bytes } from '../shared/format';
import { MIN_BLOCKS } from '../../core/selection/constants';
import type { AnalysisStatus } from './analysis-status';

export interface AnalysisActions { onRetry?: () => void; onEmbed?: () => void; onCancel?: () => void; onLastStep?: () => void }

/** The sentence of every state but `ready`. */
export function AnalysisNotice({ status, encoder, onRetry, onEmbed, onCancel, onLastStep }: { status: AnalysisStatus; encoder: string } & AnalysisActions) {
  switch (status.state) {
    case 'ready': return null;
    case 'loading': return (
      <Notice tone="loading" title="Computing…">{status.coming === undefined ? 'Vectors are ready; the numbers follow the playhead.' : `With the first vectors. ${status.coming}.`}</Notice>
    );
    case 'no-vectors': {
      if (status.model) {
        const { done, total } = status.model;
        return (
          <Notice tone="loading" title="Loading the encoder" {...(onCancel ? { action: { label: 'Cancel', run: onCancel } } : {})}>
            <progress max={Number.isFinite(total) ? Math.max(1, total) : undefined} value={Number.isFinite(total) ? done : undefined} aria-label="Encoder loaded" />
            <br />
            {bytes(done)}{Number.isFinite(total) ? ` of ${bytes(total)}` : ''} · {encoder}. It comes from this server and is kept by the browser.
          </Notice>
        );
      }
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
