import { useEffect, useState } from 'react';
import type { OwnEncoderInfo } from '../../core/embedding/own-encoder';
import { useApp } from './app-context';

const NONE: OwnEncoderInfo[] = [];

/** Encoders that the user brought, kept current. Empty until the first answer. */
export function useOwnEncoders(): readonly OwnEncoderInfo[] {
  const { workbench } = useApp();
  const [encoders, setEncoders] = useState(NONE);
  useEffect(() => workbench.encoders.observe(setEncoders), [workbench]);
  return encoders;
}
