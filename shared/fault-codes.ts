/**
 * Every code a caller may meet, with when it is raised and the layer that proves it.
 * The user's sentence and remedy for a code live in renderer/i18n under `code.<code>`; a test checks that each code has both languages.
 */
export type Layer = 'contract' | 'selection' | 'policy' | 'transport' | 'server' | 'store' | 'install' | 'secrets' | 'shell';

export const FAULT_CODES = {
  // contract and shell
  invalid_request: { layer: 'contract', when: 'a request is unknown or its input does not fit its schema; field names the place' },
  not_found: { layer: 'contract', when: 'the named object does not exist' },
  conflict: { layer: 'contract', when: 'the object is in a state that does not allow this; details.state says which' },
  internal: { layer: 'shell', when: 'a bug: the message is safe to show, the stack is in the log only' },
  forbidden: { layer: 'shell', when: 'this caller lacks the scope (deciding approvals needs the window or --approvals=script)' },
  host_not_running: { layer: 'shell', when: 'the command found no host for the data folder and could not start one' },
  instance_running: { layer: 'shell', when: 'another Gantry holds this data folder' },
  no_model: { layer: 'selection', when: 'agent:run without a configured model' },
  model_failed: { layer: 'transport', when: 'the model provider could not be reached or refused the request; details.status' },
  too_many_steps: { layer: 'selection', when: 'the agent used up its turns without an answer' },
  // store
  store_broken: { layer: 'store', when: 'the integrity check failed; the file was set aside, never overwritten' },
  store_from_future: { layer: 'store', when: 'the database was written by a newer Gantry' },
  row_unreadable: { layer: 'store', when: 'the stored row cannot be read: changed by hand, or written by a newer Gantry; details.columns says where' },
  store_write_failed: { layer: 'store', when: 'disk full, read only or an I/O error; nothing was sent' },
  store_migration_failed: { layer: 'store', when: 'a migration failed and was rolled back; details.backup is the copy made before' },
  data_dir_unsafe: { layer: 'store', when: 'the data folder is a symlink or open to other users and could not be tightened' },
  // install
  package_not_found: { layer: 'install', when: 'the registry does not know this package or version' },
  network_failed: { layer: 'install', when: 'the registry could not be reached' },
  integrity_mismatch: { layer: 'install', when: 'a file or tarball differs from the recorded integrity' },
  no_executable: { layer: 'install', when: 'the package declares no bin to launch' },
  scripts_needed: { layer: 'install', when: 'the package has install scripts and the user did not opt in' },
  app_withdrawn: { layer: 'install', when: 'the publisher asks not to use this market entry any more, and it was not accepted all the same; details.instead names another' },
  program_missing: { layer: 'install', when: 'the program that starts this market entry (uvx, docker) is not on this computer; details.program' },
  install_cancelled: { layer: 'install', when: 'the user stopped the installation; nothing stays behind' },
  install_failed: { layer: 'install', when: 'any other failure of an installation; details.step says where' },
  // import
  import_unreadable: { layer: 'contract', when: 'a text or file is in no shape that is known, or breaks; details.line and details.column say where, from 1' },
  import_no_servers: { layer: 'contract', when: 'a text or file was read and holds no server; details.found names what stands at its top' },
  import_too_large: { layer: 'contract', when: 'a text, link or file is over its limit; details.limitBytes' },
  import_unfit: { layer: 'contract', when: 'an entry cannot become a server; details.why is nothing_to_start, transport, address, argument, bundle or shell_from_link' },
  import_undecided: { layer: 'policy', when: 'something has to be decided by name before a server comes over; details.asks, details.places or details.existing name it' },
  file_unreadable: { layer: 'contract', when: 'a file cannot be read; details.cause is absent, permission, not_a_file, link or the system code' },
  // launch and connection
  consent_required: { layer: 'policy', when: 'the launch differs from the one consented to; details.launch is the new fingerprint' },
  command_not_found: { layer: 'transport', when: 'the command was not found; details.searchedPath lists the folders' },
  command_not_permitted: { layer: 'transport', when: 'the command exists but may not be executed' },
  dangerous_environment: { layer: 'policy', when: 'an environment name that changes how any program loads code (NODE_OPTIONS, LD_PRELOAD, PATH...)' },
  variable_missing: { layer: 'transport', when: 'a placeholder of the configuration has no value at the start; field names its place, details.variable the variable' },
  start_timeout: { layer: 'transport', when: 'no answer to the handshake within the deadline' },
  exited: { layer: 'transport', when: 'the process ended; details hold exit code, signal and the last stderr lines' },
  crash_loop: { layer: 'transport', when: 'the server kept exiting; it is left stopped after the stated number of tries' },
  connection_failed: { layer: 'transport', when: 'the endpoint could not be reached, or the connection broke' },
  not_mcp: { layer: 'transport', when: 'the address answers, but not as an MCP server: another 4xx than 401 and 403, or no JSON; details.status or details.contentType' },
  endpoint_error: { layer: 'transport', when: 'the address answered the handshake with 408, 425, 429 or 5xx; details.status' },
  protocol_version: { layer: 'transport', when: 'no protocol revision in common' },
  protocol_error: { layer: 'server', when: 'the server broke the protocol; details say how' },
  auth_required: { layer: 'server', when: 'the endpoint answered 401 or 403' },
  frame_too_large: { layer: 'transport', when: 'one message exceeded the frame cap; the server was stopped' },
  quarantined: { layer: 'policy', when: 'the server is in quarantine' },
  disabled: { layer: 'policy', when: 'the server is disabled' },
  not_connected: { layer: 'transport', when: 'the server is not ready' },
  source_not_fresh: { layer: 'transport', when: 'the server announced a change of its tools, or what was read is too old, and the list could not be read anew in time; nothing was sent' },
  discovery_failed: { layer: 'server', when: 'a list could not be read; it is never shown as zero' },
  // secrets
  secret_store_locked: { layer: 'secrets', when: 'the passphrase has not been given yet' },
  secret_store_unavailable: { layer: 'secrets', when: 'no provider can keep a secret; nothing is stored in plain text' },
  wrong_passphrase: { layer: 'secrets', when: 'the passphrase does not open the store' },
  secret_unreadable: { layer: 'secrets', when: 'a sealed secret was altered or sealed by another key; it has to be entered again' },
  secret_in_input: { layer: 'policy', when: 'a call input holds a configured secret value; field is its JSON Pointer' },
  // the registry
  not_canonical: { layer: 'contract', when: 'a value has no canonical JSON form (lone surrogate, NaN, infinity, too deep); field is its JSON Pointer where known' },
  // the line of a call
  unknown_capability: { layer: 'selection', when: 'no such capability' },
  not_allowed: { layer: 'selection', when: 'not admitted, not granted, out of scope or not a candidate; details.reason' },
  binding_changed: { layer: 'contract', when: 'the definition, launch or review changed since it was bound' },
  invalid_input: { layer: 'contract', when: 'the input does not satisfy the original schema; field is a JSON Pointer' },
  input_too_complex: { layer: 'contract', when: 'the input exceeds node, depth or byte limits' },
  schema_excluded: { layer: 'contract', when: 'the tool has a schema that cannot be used' },
  denied: { layer: 'policy', when: 'a person or a rule said no' },
  approval_expired: { layer: 'policy', when: 'nobody decided in time' },
  approval_void: { layer: 'policy', when: 'what was approved changed before it was used' },
  stopped: { layer: 'policy', when: 'Stop all is on: nothing is dispatched' },
  rate_limited: { layer: 'policy', when: 'too many calls or prompts in this run' },
  cancelled: { layer: 'policy', when: 'stopped before dispatch' },
  interrupted: { layer: 'transport', when: 'a read-only call was cut off' },
  outcome_unknown: { layer: 'transport', when: 'a call that may have had effects was sent and no answer came' },
  timeout: { layer: 'transport', when: 'no answer within the deadline' },
  tool_error: { layer: 'server', when: 'the tool answered isError' },
  invalid_result: { layer: 'server', when: 'the result breaks the protocol or its declared output schema' },
  too_large: { layer: 'server', when: 'the result is over what the host stores' },
  unavailable: { layer: 'transport', when: 'the source is isolated or could not be reached' },
} as const satisfies Record<string, { readonly layer: Layer; readonly when: string }>;

export type FaultCode = keyof typeof FAULT_CODES;
