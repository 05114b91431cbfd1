/** The key of the sentence that says why a rule decided: each built-in rule has its own, a person's rules share one. */
export const ruleSentence = (ruleId: string, exists: (key: string) => boolean): string => {
  const key = `approvals.rule.${ruleId.replaceAll(/[^a-z0-9]+/gi, '_')}`;
  return exists(key) ? key : 'approvals.rule.own';
};
