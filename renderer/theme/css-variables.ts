import type { CSSVariablesResolver } from '@mantine/core';
import { tokens, type Tokens } from './tokens.ts';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const variablesOf = (scheme: Tokens): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(scheme).map(([name, value]) => [`--g-${kebab(name)}`, value as string])),
  '--mantine-color-text': scheme.ink,
  '--mantine-color-body': scheme.surface,
  '--mantine-color-dimmed': scheme.muted,
  '--mantine-color-placeholder': scheme.muted,
  '--mantine-color-anchor': scheme.accent,
  '--mantine-color-error': scheme.highWrite,
  '--mantine-color-default': scheme.surface,
  '--mantine-color-default-hover': scheme.hover,
  '--mantine-color-default-color': scheme.ink,
  '--mantine-color-default-border': scheme.line,
  '--mantine-color-disabled': scheme.hover,
  '--mantine-color-disabled-color': scheme.muted,
  '--mantine-color-disabled-border': scheme.line,
  '--mantine-primary-color-filled': scheme.accent,
  '--mantine-primary-color-filled-hover': scheme.accentStrong,
  '--mantine-primary-color-contrast': scheme.onAccent,
  '--mantine-primary-color-light': scheme.accentSoft,
  '--mantine-primary-color-light-hover': scheme.accentSoft,
  '--mantine-primary-color-light-color': scheme.accent,
  '--mantine-color-accent-filled': scheme.accent,
  '--mantine-color-accent-filled-hover': scheme.accentStrong,
  '--mantine-color-accent-text': scheme.accent,
  '--mantine-color-accent-light': scheme.accentSoft,
  '--mantine-color-accent-light-hover': scheme.accentSoft,
  '--mantine-color-accent-light-color': scheme.accent,
  '--mantine-color-accent-outline': scheme.accent,
  '--mantine-color-accent-outline-hover': scheme.accentSoft,
  '--mantine-color-danger-filled': scheme.highWrite,
  '--mantine-color-danger-filled-hover': scheme.highWrite,
  '--mantine-color-danger-light': scheme.highWriteSoft,
  '--mantine-color-danger-light-hover': scheme.highWriteSoft,
  '--mantine-color-danger-light-color': scheme.highWrite,
  '--mantine-color-danger-outline': scheme.highWrite,
  '--mantine-color-danger-outline-hover': scheme.highWriteSoft,
  '--mantine-color-danger-text': scheme.highWrite,
});

/** Gantry's tokens as `--g-*`, and Mantine's own variables set from them, for both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: variablesOf(tokens.light), dark: variablesOf(tokens.dark) });
