import { read } from '../helpers/repository.ts'

const text = read('docs/procedures.md')

/**
 * Returns the SQL of a procedure in docs/procedures.md.
 * @param values replace its placeholders in capitals
 */
export function procedureSql(title: string, values: Record<string, string | number>): string {
  const [, procedure = ''] = text.split(`\n## ${title}\n`)
  const [, sql] = /```sql\n([\s\S]*?)```/.exec(procedure) ?? []
  if (sql === undefined) throw new Error(`${title} has no SQL`)
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), String(value)),
    sql
  )
}
