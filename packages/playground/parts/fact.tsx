import { Reserved } from './reserved.tsx'

interface Props {
  name: string
  value: string | undefined
  /** A placeholder as wide as the value. */
  like: string
}

/** A row of a description list, for a value that loads later. */
export function Fact({ name, value = '—', like }: Props) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Reserved like={like}>
          <code>{value}</code>
        </Reserved>
      </dd>
    </>
  )
}
