import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { MarketPage } from '../features/market/MarketPage.tsx';
import { ServersPage } from '../features/servers/ServersPage.tsx';
import { StateView } from '../parts/StateView.tsx';
import { href, type Route } from '../routes.ts';

const ApprovalsPage = lazy(() => import('../features/approvals/ApprovalsPage.tsx').then((m) => ({ default: m.ApprovalsPage })));
const GuidePage = lazy(() => import('../features/guide/GuidePage.tsx').then((m) => ({ default: m.GuidePage })));
const AddServerPage = lazy(() => import('../features/servers/AddServerPage.tsx').then((m) => ({ default: m.AddServerPage })));
const ConfigurePage = lazy(() => import('../features/servers/ConfigurePage.tsx').then((m) => ({ default: m.ConfigurePage })));
const ServerPage = lazy(() => import('../features/servers/ServerPage.tsx').then((m) => ({ default: m.ServerPage })));
const CapabilitiesPage = lazy(() => import('../features/capabilities/CapabilitiesPage.tsx').then((m) => ({ default: m.CapabilitiesPage })));
const CapabilityPage = lazy(() => import('../features/capabilities/CapabilityPage.tsx').then((m) => ({ default: m.CapabilityPage })));
const TryOutForm = lazy(() => import('../features/tryout/TryOutForm.tsx').then((m) => ({ default: m.TryOutForm })));
const ArgumentForm = lazy(() => import('../features/tryout/ArgumentForm.tsx').then((m) => ({ default: m.ArgumentForm })));
const QuestionsPage = lazy(() => import('../features/questions/QuestionsPage.tsx').then((m) => ({ default: m.QuestionsPage })));
const ServerQuestions = lazy(() => import('../features/questions/ServerQuestions.tsx').then((m) => ({ default: m.ServerQuestions })));
const InboxTabs = lazy(() => import('../features/questions/InboxTabs.tsx').then((m) => ({ default: m.InboxTabs })));
const WaitingQuestions = lazy(() => import('../features/questions/WaitingQuestions.tsx').then((m) => ({ default: m.WaitingQuestions })));
const AgentPage = lazy(() => import('../features/agent/AgentPage.tsx').then((m) => ({ default: m.AgentPage })));
const ApprovalInline = lazy(() => import('../features/approvals/ApprovalInline.tsx').then((m) => ({ default: m.ApprovalInline })));
const PlannerPage = lazy(() => import('../features/planner/PlannerPage.tsx').then((m) => ({ default: m.PlannerPage })));
const RunsPage = lazy(() => import('../features/runs/RunsPage.tsx').then((m) => ({ default: m.RunsPage })));
const RunPage = lazy(() => import('../features/runs/RunPage.tsx').then((m) => ({ default: m.RunPage })));
const ImportRoute = lazy(() => import('./ImportRoute.tsx').then((m) => ({ default: m.ImportRoute })));
const HelpPage = lazy(() => import('../features/help/HelpPage.tsx').then((m) => ({ default: m.HelpPage })));
const LinkPage = lazy(() => import('../features/link/LinkPage.tsx').then((m) => ({ default: m.LinkPage })));
const SettingsPage = lazy(() => import('../features/settings/SettingsPage.tsx').then((m) => ({ default: m.SettingsPage })));

/** Which page a place shows; the features meet here and nowhere else. */
export function Pages({ route }: { readonly route: Route }) {
  return (
    <Suspense fallback={<StateView kind="loading" rows={6} />}>
      <Page route={route} />
    </Suspense>
  );
}

function Page({ route }: { readonly route: Route }) {
  const { t } = useTranslation();
  switch (route.page) {
    case 'market':
      return <MarketPage entryId={route.entryId} filters={route.filters} />;
    case 'add':
      return <AddServerPage from={route.from} entryId={route.entryId} />;
    case 'import':
      return <ImportRoute text={route.text} />;
    case 'servers':
      return <ServersPage filters={route.filters} />;
    case 'server':
      return <ServerPage serverId={route.serverId} questions={<ServerQuestions serverId={route.serverId} />} />;
    case 'configure':
      return <ConfigurePage serverId={route.serverId} />;
    case 'capabilities':
      return <CapabilitiesPage filters={route.filters} />;
    case 'capability':
      return <CapabilityPage capabilityId={route.capabilityId} tryOut={<TryOutForm capabilityId={route.capabilityId} />} />;
    case 'agent':
      return <AgentPage conversationId={route.conversationId} approval={(approvalId) => <ApprovalInline approvalId={approvalId} />} fields={(of) => <ArgumentForm {...of} disabled={false} errors={[]} />} />;
    case 'planner':
      return <PlannerPage filters={route.filters} form={(call) => <TryOutForm {...call} />} />;
    case 'approvals':
      return (
        <>
          <InboxTabs here="approvals" />
          <ApprovalsPage approvalId={route.approvalId} questions={<WaitingQuestions />} />
        </>
      );
    case 'questions':
      return (
        <>
          <InboxTabs here="questions" />
          <QuestionsPage questionId={route.questionId} />
        </>
      );
    case 'runs':
      return <RunsPage filters={route.filters} />;
    case 'run':
      return <RunPage runId={route.runId} invocationId={route.invocationId} />;
    case 'settings':
      return <SettingsPage section={route.section} />;
    case 'link':
      return <LinkPage text={route.text} />;
    case 'guide':
      return <GuidePage />;
    case 'help':
      return <HelpPage chapter={route.chapter} anchor={route.anchor} />;
    case 'unknown':
      return (
        <StateView
          kind="empty"
          page
          title={t('app.unknown.title')}
          body={t('app.unknown.body', { path: route.path })}
          action={
            <Button component="a" href={href.market()}>
              {t('app.unknown.go')}
            </Button>
          }
        />
      );
  }
}
