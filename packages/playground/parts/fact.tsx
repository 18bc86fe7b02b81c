import { Reserved } from './reserved.tsx'

interface Props {
  name: string
  value: string | undefined
  /** A placeholder with the width of the value. */
  like: string
}

/** Renders a row of a description list, for a value that might not be loaded yet. */
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
