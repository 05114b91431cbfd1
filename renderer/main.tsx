// first: its socket opens while the rest is read
import { bridge } from './bridge/bridge.ts';
import { askWhenLocked } from './bridge/unlock-first.ts';
import './theme/mantine-styles.ts';
import './theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { followPlaces } from './app/follow-places.ts';
import { isNotFetched } from './app/not-fetched.ts';
import { languageOf, startI18n } from './i18n/start-i18n.ts';
import { fillMirrors } from './stores/fill-mirrors.ts';
import { askForSecrets } from './stores/secret-ask.ts';
import { shareStyleNonce } from './theme/style-nonce.ts';

shareStyleNonce();
startI18n(languageOf('system', navigator.languages));
askWhenLocked(askForSecrets);
fillMirrors(bridge);
followPlaces(bridge);
const root = document.getElementById('root');
if (root) {
  createRoot(root, {
    // a part that cannot be had is no fault of the program: its place says so
    onCaughtError: (error) => { if (!isNotFetched(error)) reportError(error); },
  }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
