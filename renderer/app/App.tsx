import { MantineProvider } from '@mantine/core';
import { useEffect } from 'react';
import { changeLanguage, languageOf } from '../i18n/start-i18n.ts';
import { AskForSecrets } from '../parts/way-out.ts';
import { askForSecrets } from '../stores/secret-ask.ts';
import { useSettings } from '../stores/settings.ts';
import { cssVariables } from '../theme/css-variables.ts';
import { styleNonce } from '../theme/style-nonce.ts';
import { theme } from '../theme/theme.ts';
import { Frame } from './Frame.tsx';

/** The whole window: theme and language follow the settings at once, and the system where the settings say so. */
export function App() {
  const settings = useSettings((state) => state.settings);
  const language = settings.phase === 'ready' ? settings.value.language : 'system';
  const scheme = settings.phase === 'ready' ? settings.value.theme : 'system';
  useEffect(() => changeLanguage(languageOf(language, navigator.languages)), [language]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={styleNonce} withGlobalClasses={false} {...(scheme === 'system' ? {} : { forceColorScheme: scheme })}>
      <AskForSecrets value={askForSecrets}>
        <Frame />
      </AskForSecrets>
    </MantineProvider>
  );
}
