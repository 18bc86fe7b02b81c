/**
 * In the ids of a variant, the place of a submission that another transaction has settled while it was in the slot. Its message
 * is still in the signed bytes, so the place stays. The SQL of the stores writes the same.
 */
const LEFT = ''

/** Whether the submission that had this place in a variant has left it. */
export const hasLeft = (submissionId: string): boolean => submissionId === LEFT

/** The ids of a variant after one of its submissions has left. */
export const withPlaceLeft = (submissionIds: readonly string[], leaving: string): string[] =>
  submissionIds.map(id => (id === leaving ? LEFT : id))
