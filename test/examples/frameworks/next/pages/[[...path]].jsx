export const getServerSideProps = () => ({ props: {} })
export default function Site() {
  return <p>the site</p>
}
