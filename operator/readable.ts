import type { OperatorQueries, Selection } from '../services/submission/store/operator-store.ts'

/** The submissions that can be read, and what is wrong with the damaged ones. */
export async function readableOnes(queries: OperatorQueries, selection: Selection) {
  const problems: string[] = []
  const submissions = await queries.list(selection, ({ message }) => problems.push(message))
  return { submissions, problems }
}
