export interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** A call of each tool, in the order of the list, in which all can succeed. `$ID` is the first id in the answer to the call before. */
export const everyTool: readonly Call[] = [
  { name: 'remember', arguments: { text: 'Zoe collects shells.' } },
  { name: 'recall', arguments: { query: 'Zoe collects shells.', k: 3 } },
  { name: 'forget', arguments: { id: '$ID' } },
  { name: 'get_context', arguments: { query: 'Where does Ada live?', max_tokens: 500 } },
  { name: 'list_subscriptions', arguments: {} },
  {
    name: 'record_action_batch',
    arguments: {
      actions: [
        { kind: 'memory', content: 'Eve collects stamps.', metadata: { topic: 'hobby' } },
        { kind: 'decision', summary: 'Buy the printer', options: ['buy', 'rent'], chosen: 'buy' },
        { kind: 'handoff', summary: 'Order paper', to_agent: `agn_${'o'.repeat(32)}` },
      ],
    },
  },
  { name: 'subscribe', arguments: { webhook_url: 'https://example.org/hook', pattern: { contains: ['Ada'] } } },
  { name: 'unsubscribe', arguments: { subscription_id: '$ID' } },
];

/** With the tools that the setting MCP_SEARCH_FETCH adds. */
export const allCalls: readonly Call[] = [
  ...everyTool,
  { name: 'search', arguments: { query: 'Ada' } },
  { name: 'fetch', arguments: { id: '$ID' } },
];

const nothing = '0192f0c4-8000-7000-8000-00000000000a';
/** Calls that are refused, as an error about the arguments or as a result that says why. */
export const wrongCalls: readonly Call[] = [
  { name: 'recall', arguments: { query: 'x', k: 51 } },
  { name: 'remember', arguments: { text: '' } },
  { name: 'forget', arguments: { id: nothing } },
  { name: 'get_context', arguments: { query: '' } },
  { name: 'record_action_batch', arguments: { actions: [{ kind: 'song' }] } },
  { name: 'record_action_batch', arguments: { actions: [{ kind: 'memory', content: 'x', namespace: 'nowhere' }] } },
  { name: 'subscribe', arguments: { webhook_url: 'https://10.0.0.1/', pattern: { contains: 'Ada' } } },
  { name: 'unsubscribe', arguments: { subscription_id: nothing } },
  // Where they are not offered, there is no such tool.
  { name: 'search', arguments: { query: '' } },
  { name: 'fetch', arguments: { id: nothing } },
  { name: 'no_such_tool', arguments: {} },
];
