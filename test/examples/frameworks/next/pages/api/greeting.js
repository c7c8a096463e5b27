export default (request, response) => response.send(request.body.greeting)
