export async function POST({ request }) {
  const { greeting } = await request.json()
  return new Response(greeting)
}
