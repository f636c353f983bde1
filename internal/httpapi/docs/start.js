// Shows the API document of this server, and loads nothing from anywhere else.
window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  showExtensions: true,
  validatorUrl: null,
});
