// The API's pages: Swagger UI over our own description. A call that is tried out carries the page's
// CSRF token, as those of our own pages do.

const place = document.getElementById("api");

function csrfToken() {
  const prefix = `${place.dataset.csrfCookie}=`;
  const found = document.cookie.split("; ").find((each) => each.startsWith(prefix));
  return found ? decodeURIComponent(found.slice(prefix.length)) : "";
}

window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  docExpansion: "none",
  validatorUrl: null,
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = csrfToken();
    return request;
  },
});
