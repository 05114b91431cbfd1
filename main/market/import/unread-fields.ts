import type { NotBroughtReason } from '../../../shared/import.ts';

/**
 * Known fields of other programs' server entries that Gantry does not take over. Lists that let tools run without a question are never taken over as grants.
 * Sources of the names: docs/spec/import.md, "Formats".
 */
const REASONS: readonly (readonly [NotBroughtReason, readonly string[]])[] = [
  ['grants', ['autoApprove', 'autoapprove', 'alwaysAllow', 'always_allow', 'trust', 'trusted', 'autoApproveAll', 'default_tools_approval_mode', 'approval_mode', 'require_approval', 'disableApproval']],
  ['tool_choice', ['disabledTools', 'enabledTools', 'includeTools', 'excludeTools', 'enabled_tools', 'disabled_tools', 'allowedTools', 'allowed_tools', 'tools', 'toolFilter', 'alwaysLoad', 'available_tools']],
  ['timeouts', ['timeout', 'timeoutMs', 'startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec', 'initTimeout', 'requestTimeout', 'connectionTimeout', 'networkTimeout', 'longRunning', 'sseReadTimeout', 'keepAlive']],
  ['sign_in', ['oauth', 'auth', 'authProviderType', 'scopes', 'oauth_resource', 'oauth_scopes', 'targetAudience', 'targetServiceAccount', 'authorization']],
  ['env_file', ['envFile', 'env_file']],
  ['helper_command', ['headersHelper', 'headers_helper', 'apiKeyHelper']],
  ['host_feature', ['dev', 'watch', 'watchPaths', 'sandbox', 'sandboxEnabled', 'gallery', 'remote', 'experimental_environment', 'supports_parallel_tool_calls', 'required', 'source', 'extensionName', 'scope', 'chatMenu', 'roots', 'stderr', 'encoding', 'restart', 'detached']],
  ['extension', ['settings', 'extension']],
  ['description', ['description', 'title', 'displayName', 'display_name', 'icon', 'iconPath', 'logoUrl', 'version', '$schema', 'comment', '_comment', 'note', 'id', 'provider', 'providerUrl', 'homepage', 'repository', 'tags', 'reference', 'bundled']],
];

const BY_NAME: ReadonlyMap<string, NotBroughtReason> = new Map(REASONS.flatMap(([reason, names]) => names.map((name) => [name, reason] as const)));

/** Why a field that no reader took is left where it is. */
export const whyUnread = (field: string): NotBroughtReason => BY_NAME.get(field) ?? 'unknown';
