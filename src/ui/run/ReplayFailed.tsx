import { Notice } from '../shared/Notice';

interface Props {
  policy: string;
  /** Is there a policy of this id at all? An old or mistyped link may name one that is not. */
  known: boolean;
  message: string | undefined;
  onRetry: () => void;
  onRecorded: () => void;
}

/** Why there is no replay, and the way back to one that always works: the run as it was recorded. */
export function ReplayFailed({ policy, known, message, onRetry, onRecorded }: Props) {
  return (
    <Notice tone="failed" title={known ? `The policy ${policy} could not be replayed` : `There is no policy named “${policy}”`} action={known ? { label: 'Try again', run: onRetry } : { label: 'Show as recorded', run: onRecorded }}>
      {message} {known && policy !== 'recorded' && <button type="button" className="link" onClick={onRecorded}>Show as recorded</button>}
    </Notice>
  );
}
