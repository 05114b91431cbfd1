import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MarketPage } from '../features/market/MarketPage.tsx';
import { ServersPage } from '../features/servers/ServersPage.tsx';
import { later } from '../parts/later.tsx';
import { StateView } from '../parts/StateView.tsx';
import { href, type Route } from '../routes.ts';

const WAITS = <StateView kind="loading" rows={6} />;
const ApprovalsPage = later(() => import('../features/approvals/ApprovalsPage.tsx').then((m) => m.ApprovalsPage), WAITS);
const GuidePage = later(() => import('../features/guide/GuidePage.tsx').then((m) => m.GuidePage), WAITS);
const AddServerPage = later(() => import('../features/servers/AddServerPage.tsx').then((m) => m.AddServerPage), WAITS);
const ConfigurePage = later(() => import('../features/servers/ConfigurePage.tsx').then((m) => m.ConfigurePage), WAITS);
const ServerPage = later(() => import('../features/servers/ServerPage.tsx').then((m) => m.ServerPage), WAITS);
const CapabilitiesPage = later(() => import('../features/capabilities/CapabilitiesPage.tsx').then((m) => m.CapabilitiesPage), WAITS);
const CapabilityPage = later(() => import('../features/capabilities/CapabilityPage.tsx').then((m) => m.CapabilityPage), WAITS);
const TryOutForm = later(() => import('../features/tryout/TryOutForm.tsx').then((m) => m.TryOutForm), WAITS);
const ArgumentForm = later(() => import('../features/tryout/ArgumentForm.tsx').then((m) => m.ArgumentForm), WAITS);
const QuestionsPage = later(() => import('../features/questions/QuestionsPage.tsx').then((m) => m.QuestionsPage), WAITS);
const ServerQuestions = later(() => import('../features/questions/ServerQuestions.tsx').then((m) => m.ServerQuestions));
const InboxTabs = later(() => import('../features/questions/InboxTabs.tsx').then((m) => m.InboxTabs));
const WaitingQuestions = later(() => import('../features/questions/WaitingQuestions.tsx').then((m) => m.WaitingQuestions));
const AgentPage = later(() => import('../features/agent/AgentPage.tsx').then((m) => m.AgentPage), WAITS);
const ApprovalInline = later(() => import('../features/approvals/ApprovalInline.tsx').then((m) => m.ApprovalInline));
const PlannerPage = later(() => import('../features/planner/PlannerPage.tsx').then((m) => m.PlannerPage), WAITS);
const RunsPage = later(() => import('../features/runs/RunsPage.tsx').then((m) => m.RunsPage), WAITS);
const RunPage = later(() => import('../features/runs/RunPage.tsx').then((m) => m.RunPage), WAITS);
const ImportRoute = later(() => import('./ImportRoute.tsx').then((m) => m.ImportRoute), WAITS);
const HelpPage = later(() => import('../features/help/HelpPage.tsx').then((m) => m.HelpPage), WAITS);
const LinkPage = later(() => import('../features/link/LinkPage.tsx').then((m) => m.LinkPage), WAITS);
const SettingsPage = later(() => import('../features/settings/SettingsPage.tsx').then((m) => m.SettingsPage), WAITS);

/** Which page a place shows; the features meet here and nowhere else. */
export function Pages({ route }: { readonly route: Route }) {
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
